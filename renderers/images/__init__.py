"""Images: smaller variants of pictures, social cards and icons."""
