# One line for each generated source or header beyond field_constants.h.
