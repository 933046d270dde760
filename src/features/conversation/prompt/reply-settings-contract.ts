import { z } from 'zod';
import { type ReplyStyle, replyStyle } from '../../reply-style/contract.ts';
import { DEFAULT_REPLY_STYLE } from '../../reply-style/reply-style.ts';

export const replySettings = replyStyle;
/** How the model should reply in a conversation. */
export type ReplySettings = ReplyStyle;

export const replySettingsView = replySettings.extend({
  recommended_style: replyStyle
    .nullable()
    .describe(
      'What the character’s creator recommends in the version that the conversation uses; null for none',
    ),
});
export type ReplySettingsView = z.infer<typeof replySettingsView>;

/** Absent settings stay as they are. */
export const changeReplySettingsBody = z
  .strictObject(replyStyle.partial().shape)
  .refine((body) => Object.keys(body).length > 0, 'There is nothing to change');
export type ChangeReplySettingsBody = z.infer<typeof changeReplySettingsBody>;

export const DEFAULT_REPLY_SETTINGS: ReplySettings = DEFAULT_REPLY_STYLE;

/** Returns the settings that differ from the default ones. */
export const extractChangedSettings = (settings: ReplySettings): Partial<ReplySettings> =>
  Object.fromEntries(
    Object.entries(settings).filter(
      ([name, value]) => value !== DEFAULT_REPLY_SETTINGS[name as keyof ReplySettings],
    ),
  );
