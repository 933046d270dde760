import type { Context } from 'hono';
import { getSpicyModeCode } from '../../services/spicy-mode.ts';
import type { ApiEnv } from './context.ts';
import { Problem } from './problems.ts';

/** Builds the refusal for a user who may not see adult content. */
export const createSpicyModeProblem = (c: Context<ApiEnv>): Problem =>
  new Problem(getSpicyModeCode(c.get('settings')));
