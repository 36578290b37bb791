"""Operations: the command line, import, starters, doctor and backup."""
