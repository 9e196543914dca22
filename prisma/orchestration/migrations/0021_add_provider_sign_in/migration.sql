-- contract: the previous version treats a person without a password like a wrong password
ALTER TABLE person ALTER COLUMN password_hash DROP NOT NULL;
ALTER TABLE person ADD COLUMN provider_issuer TEXT, ADD COLUMN provider_subject TEXT;
-- lock: one row for each person
CREATE UNIQUE INDEX person_provider_issuer_provider_subject_key ON person (provider_issuer, provider_subject);
ALTER TABLE session ADD COLUMN provider_session TEXT;
