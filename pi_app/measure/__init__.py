"""What the recognisers are worth: judged on simulated scenes, whose truth is known."""
