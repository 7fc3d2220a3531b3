"""Kalamala on a screen: drawings, offers and the words around them."""
