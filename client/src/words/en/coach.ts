export const coach = {};
