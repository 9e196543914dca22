/** Any number, as long as every runner uses the same one (the value is that of `prisma migrate`). */
export const MIGRATION_LOCK = 72_707_369;
