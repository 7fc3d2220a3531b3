"""Commands for whoever hosts a server: backup, restore, export, doctor."""
