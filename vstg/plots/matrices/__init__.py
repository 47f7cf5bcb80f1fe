"""U, V and W as pictures: frames, the scheme, excerpts, and how a page gets them."""
