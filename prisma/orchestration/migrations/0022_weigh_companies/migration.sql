-- lock: a new column with a constant default is a catalogue change and takes milliseconds
ALTER TABLE "company" ADD COLUMN "run_weight" INTEGER NOT NULL DEFAULT 1
  CONSTRAINT "company_run_weight_check" CHECK ("run_weight" BETWEEN 1 AND 100);

CREATE TABLE "company_turn" (
    "company_id" UUID NOT NULL,
    "turn" DOUBLE PRECISION NOT NULL,
    CONSTRAINT "company_turn_pkey" PRIMARY KEY ("company_id")
);
ALTER TABLE "company_turn" ADD CONSTRAINT "company_turn_company_id_fkey" FOREIGN KEY ("company_id")
  REFERENCES "company"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
