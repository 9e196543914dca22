/** The first day of the present month in UTC by the database clock, as SQL (spec, "Limits"). */
export const THIS_MONTH = "date_trunc('month', now() AT TIME ZONE 'UTC')::date";
