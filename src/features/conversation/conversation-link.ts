/** The one address of a chat: under it its page is kept to be read without a network. */
export function buildChatHref({ id, character_id }: { id: string; character_id: string }): string {
  return `/character/${encodeURIComponent(character_id)}?${new URLSearchParams({ conversation_id: id })}`;
}

/**
 * A link to a chat from a list of them: it carries the name and the picture along (SPEC section 2), so that the page has
 * a face before it has an answer.
 */
export function buildChatLink(chat: {
  id: string;
  character_id: string;
  character_name: string;
  avatar_url: string;
}): string {
  const cardParams = new URLSearchParams({ name: chat.character_name, avatar_url: chat.avatar_url });
  return `${buildChatHref(chat)}&${cardParams}`;
}
