/** What a conversation is called: its own name, or else its character's. */
export const getConversationTitle = ({
  title,
  character_name,
}: {
  title: string | null;
  character_name: string;
}) => title ?? character_name;
