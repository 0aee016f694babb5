"""What people at the table see: terminal view and OLED screens."""
