"""The `kibitz` command: one module per group of subcommands."""
