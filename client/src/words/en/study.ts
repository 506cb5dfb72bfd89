export const study = {};
