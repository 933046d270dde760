/** Text limits in UTF-16 units (docs/product.md). */
export const TEXT_LIMITS = {
  characterName: 50,
  oneliner: 50,
  characterTraits: 1000,
  firstMessage: 2000,
  /** A page of text about a character, for people only. */
  characterAbout: 5000,
  reportDetails: 300,
  /** One message: far above what users type, far below a size that would crowd out a model's context. */
  message: 8000,
  email: 254,
  title: 100,
  searchQuery: 100,
  nickname: 20,
  username: 30,
  inviteCode: 10,
  feedback: 2000,
  /** The same as a character's name: both appear in the same places of a chat. */
  personaName: 50,
  /** The same as a character's traits: the model reads it in every turn. */
  personaDescription: 1000,
  /** The same as a first message: the model reads it in every turn. */
  authorNote: 2000,
  /** A few sentences for one reply; it is kept with each version. */
  regenerateNote: 1000,
  /** One line of a select. */
  styleName: 40,
} as const;
