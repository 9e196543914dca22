/** The number that `prisma migrate` uses. */
export const MIGRATION_LOCK = 72_707_369;
