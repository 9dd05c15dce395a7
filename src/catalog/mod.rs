//! What a given Pi version ships, and the rules by which versions differ.
