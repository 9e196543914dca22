-- A company may have most of its issues under few parents, e.g. those that a routine makes. PostgreSQL then takes it that each
-- issue has so many children, and reads all issues for each row of a list or of the inbox instead of the index of parents.
-- Most issues that are looked at have few.
ALTER TABLE "issue" ALTER COLUMN "parent_id" SET (n_distinct = -0.1);
