import type { Request } from 'express';
import type { Call } from '../../../call';

export type SignInCall = Call<string | null> & { request: Request };
