"""What the words of the command line do; ``vstg.__main__`` lists them."""
