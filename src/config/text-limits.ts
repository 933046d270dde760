/** Text limits in characters (SPEC section 5). */
export const TEXT_LIMITS = {
  characterName: 50,
  oneliner: 50,
  characterTraits: 1000,
  firstMessage: 2000,
  reportDetails: 300,
  /** One message: far above what people type, far below what would crowd out a model's context. */
  message: 8000,
  email: 254,
  title: 100,
  searchQuery: 100,
  nickname: 20,
  username: 30,
  inviteCode: 10,
  /** What somebody tells the operator. */
  feedback: 2000,
  /** As long as a character's: both stand in the same places of a chat. */
  personaName: 50,
  /** As much as a character's traits: it is told to the model in every turn. */
  personaDescription: 1000,
} as const;
