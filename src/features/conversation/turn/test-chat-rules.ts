/** What an answer goes by of a character as it stands in its maker's form, and nothing else. */
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
} as const;

/** How much of a test chat an answer goes by, in messages after the first one: enough to hear a voice. */
export const TEST_CHAT_MESSAGES = 20;

/** And in UTF-16 units: it comes along with every message, and has to fit into a request in any script. */
export const TEST_CHAT_CHARS = 100_000;

/** The newest messages that an answer goes by. @param messages oldest first, none of them empty */
export function selectTestMessages<Message extends { content: string }>(
  messages: readonly Message[],
): Message[] {
  let room = TEST_CHAT_CHARS;
  const newest = messages.slice(-TEST_CHAT_MESSAGES);
  const first = newest.findLastIndex(({ content }) => {
    room -= content.length;
    return room < 0;
  });
  // What is to be answered goes along, however long it is.
  return newest.slice(Math.min(first + 1, newest.length - 1));
}
