"""Tables on the server: who sits there, what they may do, what they are sent."""
