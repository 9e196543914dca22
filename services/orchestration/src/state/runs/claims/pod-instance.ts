/**
 * All run pods of an installation count as one runner. It outlives the workers that create the
 * pods.
 */
export const POD_INSTANCE = '0190a000-0000-7000-8000-00000000706f';
