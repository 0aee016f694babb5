"""The reader board's protocol, without a port."""
