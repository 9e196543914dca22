-- Null for a session whose person has not given the password again since signing in.
ALTER TABLE session ADD COLUMN confirmed_at TIMESTAMPTZ(3);
