-- CreateTable
CREATE TABLE "component_state" (
    "component" TEXT NOT NULL,
    "exchange" TEXT NOT NULL,
    "simulated" BOOLEAN NOT NULL,
    "status" TEXT NOT NULL,
    "last_success_at" TIMESTAMPTZ(3),

    CONSTRAINT "component_state_pkey" PRIMARY KEY ("component", "exchange", "simulated")
);
