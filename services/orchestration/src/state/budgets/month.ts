export const THIS_MONTH = "date_trunc('month', now() AT TIME ZONE 'UTC')::date";
