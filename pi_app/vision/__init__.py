"""Pictures in, values out."""
