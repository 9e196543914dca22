import { z } from 'zod';
import { TIMEFRAME_MS, type Timeframe } from '../exchange/port';

export const COLLECTED_TIMEFRAME: Timeframe = '1h';

export const timeframeName = z.enum(Object.keys(TIMEFRAME_MS) as [Timeframe, ...Timeframe[]]);
