"""AS-Kimble on a screen: drawings, offers and the words around them."""
