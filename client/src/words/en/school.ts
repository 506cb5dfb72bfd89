export const school = {};
