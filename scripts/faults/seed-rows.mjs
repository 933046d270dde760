// The first rows: a character, and business constants by which points run out and refill.
export const CHARACTER_ID = '01faultsfaultsfaultsfaults';

export const SEED_ROWS = {
  d1: [
    [
      `insert into users (id, username, is_anonymous, is_system, created_at, updated_at)
       values ('house', 'House', 0, 1, 1, 1)`,
    ],
    [
      `insert into characters (id, creator_id, name, oneliner, character_traits, first_message, model_type, visibility,
         point_of_view, suggested_replies, avatar_key, created_at, updated_at)
       values (?, 'house', 'Ada', 'A clockmaker', 'Patient.', 'Tick goes the clock.', 'roleplay', 'public', 'normal',
         '[]', 'x', 1, 1)`,
      CHARACTER_ID,
    ],
  ],
  kv: {
    business: '{"start_points":40,"refill_to_points":30,"refill_hours":1,"daily_message_limit":null}',
  },
};
