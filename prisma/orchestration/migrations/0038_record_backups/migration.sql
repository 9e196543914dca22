-- When the last backup was completed, for the alert about missing ones. One row at most.
CREATE TABLE "last_backup" (
    "singleton" BOOLEAN NOT NULL DEFAULT true,
    "completed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "last_backup_pkey" PRIMARY KEY ("singleton"),
    CONSTRAINT "last_backup_singleton_check" CHECK ("singleton")
);
