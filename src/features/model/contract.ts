import { z } from 'zod';
import { TOKENIZERS } from './token-weights.ts';
import { BRAND } from '../../config/brand.ts';

/** The values of the device setting "selected model". */
export const MODEL_CHOICES = ['recommended', BRAND.modelValue, 'chatgpt', 'deepseek', 'mistral'] as const;
export const modelChoice = z.enum(MODEL_CHOICES);
/** The kind of model a character is written for; it determines the recommended model. */
export const modelType = z.enum(['roleplay', 'chatgpt']);
export type ModelType = z.infer<typeof modelType>;
export type ModelChoice = z.infer<typeof modelChoice>;

export const modelList = z.object({
  items: z.array(
    z.object({
      id: modelChoice,
      label: z.string(),
      available: z.boolean(),
      unavailable_reason: z.string().optional(),
      context_tokens: z
        .number()
        .int()
        .optional()
        .describe('The context window for prompt and reply, in estimated tokens; absent if not configured'),
      tokenizer: z
        .enum(TOKENIZERS)
        .nullable()
        .optional()
        .describe('The tokenizer that the model counts with; null when it is unknown'),
      passing: z
        .boolean()
        .optional()
        .describe(
          'True if a configured model is only temporarily unavailable, so that users can keep their choice',
        ),
    }),
  ),
});
export type ModelList = z.infer<typeof modelList>;
