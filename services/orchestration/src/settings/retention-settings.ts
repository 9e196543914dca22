import { wholeNumber } from '@switchyard/server';

const days = wholeNumber(0, 36_500);

export const retentionEnvironment = {
  RETENTION_RUN_DAYS: days
    .default(90)
    .describe('days after which output and folders of ended runs are deleted; 0: never'),
  RETENTION_ACTIVITY_DAYS: days
    .default(0)
    .describe('days after which activity is deleted; 0: never'),
};

export interface RetentionSettings {
  runDays: number;
  wakeupDays: number;
  activityDays: number;
}

export function retentionSettings(env: {
  RETENTION_RUN_DAYS: number;
  RETENTION_ACTIVITY_DAYS: number;
}): RetentionSettings {
  return {
    runDays: env.RETENTION_RUN_DAYS,
    wakeupDays: env.RETENTION_RUN_DAYS,
    activityDays: env.RETENTION_ACTIVITY_DAYS,
  };
}
