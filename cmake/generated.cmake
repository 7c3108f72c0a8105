# One line for each generated source or header beyond field_constants.h.
cuzk_generate(poseidon_constants.h gen_poseidon.py)
if(CUZK_X86)
  cuzk_generate(mont_mul_adx.S gen_mont_mul_adx.py)
  list(APPEND CUZK_GENERATED_SOURCES ${GENERATED}/mont_mul_adx.S)
endif()
cuzk_generate(curve_constants.h gen_curve_constants.py)
