/** SQL: first day of the current month in UTC by the database clock (spec, "Limits"). */
export const THIS_MONTH = "date_trunc('month', now() AT TIME ZONE 'UTC')::date";
