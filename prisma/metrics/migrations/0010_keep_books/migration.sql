-- lock: a nullable column is a catalogue change and takes milliseconds
ALTER TABLE "grid" ADD COLUMN "base_books" JSONB;
