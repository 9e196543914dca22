-- CreateTable
CREATE TABLE "secret_key" (
    "id" UUID NOT NULL,
    "company_id" UUID NOT NULL,
    "master_key_id" TEXT NOT NULL,
    "wrapped_key" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "secret_key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "secret" (
    "id" UUID NOT NULL,
    "company_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "latest_version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "secret_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "secret_version" (
    "company_id" UUID NOT NULL,
    "secret_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "key_id" UUID NOT NULL,
    "ciphertext" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "secret_version_pkey" PRIMARY KEY ("secret_id","version")
);

-- CreateIndex
CREATE INDEX "secret_key_master_key_id_idx" ON "secret_key"("master_key_id");

-- CreateIndex
CREATE UNIQUE INDEX "secret_key_company_id_id_key" ON "secret_key"("company_id", "id");

-- CreateIndex
CREATE INDEX "secret_company_id_created_at_id_idx" ON "secret"("company_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "secret_company_id_id_key" ON "secret"("company_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "secret_company_id_name_key" ON "secret"("company_id", "name");

-- CreateIndex
CREATE INDEX "secret_version_company_id_key_id_idx" ON "secret_version"("company_id", "key_id");

-- AddForeignKey
ALTER TABLE "secret_key" ADD CONSTRAINT "secret_key_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "secret" ADD CONSTRAINT "secret_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "secret_version" ADD CONSTRAINT "secret_version_company_id_secret_id_fkey" FOREIGN KEY ("company_id", "secret_id") REFERENCES "secret"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "secret_version" ADD CONSTRAINT "secret_version_company_id_key_id_fkey" FOREIGN KEY ("company_id", "key_id") REFERENCES "secret_key"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

ALTER TABLE "secret" ADD CONSTRAINT "secret_latest_version_check" CHECK ("latest_version" >= 1);
ALTER TABLE "secret_version" ADD CONSTRAINT "secret_version_version_check" CHECK ("version" >= 1);
