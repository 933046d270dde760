/** The fields of the creator's form that a test reply depends on. */
export const TESTED = {
  name: true,
  oneliner: true,
  character_traits: true,
  first_message: true,
  model_type: true,
  point_of_view: true,
  nsfw_allowed: true,
  nickname: true,
  lorebook: true,
  definition: true,
  recommended_style: true,
} as const;

/** How many messages after the first one a test reply depends on; enough to judge the character's voice. */
export const TEST_CHAT_MESSAGES = 20;

/**
 * The same limit in UTF-16 units. The messages are sent with every request, so they have to fit into it in any script.
 */
export const TEST_CHAT_CHARS = 100_000;

/** Returns the newest messages within the limits. @param messages oldest first, none of them empty */
export function selectTestMessages<Message extends { content: string }>(
  messages: readonly Message[],
): Message[] {
  let room = TEST_CHAT_CHARS;
  const newest = messages.slice(-TEST_CHAT_MESSAGES);
  const first = newest.findLastIndex(({ content }) => {
    room -= content.length;
    return room < 0;
  });
  // The message to answer is always included, even above the limits.
  return newest.slice(Math.min(first + 1, newest.length - 1));
}
