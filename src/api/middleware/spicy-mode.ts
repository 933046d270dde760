import type { Context } from 'hono';
import { getSpicyModeCode } from '../../services/spicy-mode.ts';
import type { ApiEnv } from './context.ts';
import { Problem } from './problems.ts';

/** The refusal for a person who does not see characters for adults. */
export const createSpicyModeProblem = (c: Context<ApiEnv>): Problem =>
  new Problem(getSpicyModeCode(c.get('settings')));
