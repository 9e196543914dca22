-- Null for a password that its person chose.
ALTER TABLE person ADD COLUMN password_expires_at TIMESTAMPTZ(3);
