CREATE TABLE "deleted_fills" (
  "exchange" TEXT NOT NULL,
  "until" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "deleted_fills_pkey" PRIMARY KEY ("exchange")
);
