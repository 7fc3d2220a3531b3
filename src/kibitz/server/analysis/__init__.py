"""The analysis board and the evaluation of finished matches."""
