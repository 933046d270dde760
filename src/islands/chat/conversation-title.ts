/** A conversation's title, or its character's name when it has none. */
export const getConversationTitle = ({
  title,
  character_name,
}: {
  title: string | null;
  character_name: string;
}) => title ?? character_name;
