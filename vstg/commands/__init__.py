"""The commands of ``vstg``, one module each; ``vstg.__main__`` lists them."""
