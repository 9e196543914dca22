/** The advisory lock that `prisma migrate` also takes. */
export const MIGRATION_LOCK = 72_707_369;
