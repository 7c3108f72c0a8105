# One line for each generated source or header beyond field_constants.h.
cuzk_generate(poseidon_constants.h gen_poseidon.py)
