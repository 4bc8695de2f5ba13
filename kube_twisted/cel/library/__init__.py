"""The functions of the expression language, one library a file."""
